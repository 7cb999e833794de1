"""Verifies a notification with the Standard Webhooks library from PyPI.

Standard input is a JSON object: `secret`, `headers` and `body` as they were received. Fails unless the
notification is verified and one that was tampered with is not.
"""

import json
import sys

from standardwebhooks import Webhook, WebhookVerificationError

received = json.load(sys.stdin)
webhook = Webhook(received["secret"])
notification = webhook.verify(received["body"], received["headers"])
try:
    webhook.verify(received["body"].replace("ACCEPTED", "REJECTED"), received["headers"])
except WebhookVerificationError:
    print(notification["type"])
else:
    sys.exit("a notification that was tampered with was verified")

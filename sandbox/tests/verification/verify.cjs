// Verifies a notification with the Standard Webhooks library from npm.
//
// Standard input is a JSON object: `secret`, `headers` and `body` as they were received. Fails unless
// the notification is verified and one that was tampered with is not.

const { readFileSync } = require("node:fs");
const { Webhook, WebhookVerificationError } = require("standardwebhooks");

const { secret, headers, body } = JSON.parse(readFileSync(0, "utf8"));
const webhook = new Webhook(secret);
const notification = webhook.verify(body, headers);
try {
  webhook.verify(body.replace("ACCEPTED", "REJECTED"), headers);
} catch (error) {
  if (!(error instanceof WebhookVerificationError)) throw error;
  console.log(notification.type);
  process.exit(0);
}
throw new Error("a notification that was tampered with was verified");

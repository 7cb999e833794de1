-- The tables of the first version, under other names; indexes and triggers are in the way of those of today.
DROP TRIGGER postings_are_not_changed;
DROP TRIGGER postings_are_not_removed;
DROP INDEX postings_of_transaction;
DROP INDEX one_selected_offer;
DROP INDEX one_active_refund;
DROP INDEX refunds_of_purchase;
DROP INDEX due_transactions;
ALTER TABLE secrets RENAME TO first_secrets;
ALTER TABLE tenants RENAME TO first_tenants;
ALTER TABLE credentials RENAME TO first_credentials;
ALTER TABLE customers RENAME TO first_customers;
ALTER TABLE transactions RENAME TO first_transactions;
ALTER TABLE offers RENAME TO first_offers;
ALTER TABLE answers RENAME TO first_answers;
ALTER TABLE balances RENAME TO first_balances;

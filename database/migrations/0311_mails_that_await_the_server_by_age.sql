-- outside a transaction
create index concurrently mails_awaiting_server on mails (created_at) where awaits_server_since is not null;

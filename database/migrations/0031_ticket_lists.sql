-- Staff's lists over a hundred thousand tickets. Owned by features/tickets.

-- Topic, priority and assignee at the end: a filter that few tickets pass is judged in the index, without a look at the rows.
drop index tickets_waiting;
create index tickets_waiting on tickets (status, coalesce(waiting_since, last_message_at), id, topic, priority, assignee_id);

-- A search for a word that stands everywhere goes backward in time until it has found enough; one for a rare word takes the
-- index of words. PostgreSQL decides by what it knows of the word.
create index tickets_by_last_message on tickets (last_message_at);
create index ticket_messages_by_time on ticket_messages (created_at);

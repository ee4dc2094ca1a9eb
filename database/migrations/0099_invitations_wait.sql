-- An invitation with the role of an owner, which a second owner confirms before it is mailed. Until then nobody has its key.
alter table invitations add column waits boolean not null default false;

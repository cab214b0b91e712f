-- What of a record somebody of the project stands behind, and whether it was seen to change after they did.

-- So many characters from the start; null: all of it.
alter table records add column vouched integer default 0;

alter table records add column edited_at text;

update records set vouched = null
where origin <> 'agents'
    and (type not in ('comment', 'issue', 'pull') or upper(association) in ('', 'OWNER', 'MEMBER', 'COLLABORATOR'));

-- The next run says of the others who took them up.
delete from promotions where record_id in (select id from records where vouched = 0);

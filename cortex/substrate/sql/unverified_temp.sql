-- unverified_temp.sql: the records of which somebody of the project stands behind a part at most, as `vouch_records.sql` stored.
create temp view if not exists unverified as
select id from records where vouched is not null

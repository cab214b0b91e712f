-- count_retrieved.sql: a question found this record.
insert into usage (source, ref, retrieved, last_retrieved_at) values (:source, :ref, 1, :now)
on conflict (source, ref) do update set retrieved = retrieved + 1, last_retrieved_at = excluded.last_retrieved_at;

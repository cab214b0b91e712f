-- retitled.sql: comments with the title that their thread has now, where that is another than when they were read.
select
    c.type, c.ref, t.title, c.body, c.url, c.path, c.line_start, c.line_end, c.author, c.association, c.state, c.thread,
    c.created_at, c.updated_at,
    (
        select json_group_array(json_object('relation', l.relation, 'to_source', l.to_source, 'to_ref', l.to_ref))
        from links l
        where l.source_id = c.source_id and l.from_ref = c.ref and l.relation in ('replies', 'reviews')
    ) as stated
from records c
join records t on t.source_id = c.source_id and t.ref = c.thread and t.gone_at is null
where c.source_id = :source_id and c.type = 'comment' and c.gone_at is null and c.origin = 'github'
  and c.title <> t.title and c.body <> upper(c.state)

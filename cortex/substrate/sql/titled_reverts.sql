-- titled_reverts.sql: what its title says takes or brings something back, the earliest first, with the number of the pull
-- request that it merged; and what it is already known to take or bring back.
select
    r.ref, r.title, coalesce(r.created_at, r.merged_at, ''),
    coalesce((
        select substr(m.to_ref, 6) from links m
        where m.source_id = r.source_id and m.from_ref = r.ref and m.relation = 'merges' and m.to_ref glob 'pull:*' limit 1
    ), substr(r.ref, instr(r.ref, ':') + 1)),
    exists (
        select 1 from links l
        where l.source_id = r.source_id and l.from_ref = r.ref and l.relation in ('reverts', 'reverts_part', 'reapplies')
          and l.to_source = '' and l.to_ref glob iif(r.type = 'pull', 'pull:*', '[pc]*')
          and (l.to_ref glob 'pull:*' or exists (select 1 from records c where c.source_id = l.source_id and c.ref = l.to_ref))
    ) or exists ( -- its pull request says that it is but a part
        select 1 from links m
        cross join links l on l.source_id = m.source_id and l.from_ref = m.to_ref and l.relation = 'reverts_part' and l.to_source = ''
        where m.source_id = r.source_id and m.from_ref = r.ref and m.relation = 'merges' and m.to_ref glob 'pull:*'
    )
from records r
where r.source_id = :source_id and r.type = :type and r.gone_at is null and r.origin <> 'agents'
  and (r.title like 'rever%' or r.title like 're-apply%' or r.title like 'reapply%' or r.title like 'reland%'
    or r.title like 're-land%' or r.title like 'back out%' or r.title like 'roll%' or r.title like 'undo%'
    or r.title like 'bring%' or r.title like 'restore%' or r.title like 'reinstate%' or r.title like '%again%' or r.title like '%once more%'
    or r.title like '%take%' or r.title like '%attempt%' or r.title like '%try%' or r.title like '%redux%')
order by coalesce(r.created_at, r.merged_at, ''), r.id

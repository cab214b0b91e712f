-- What titles and changelogs state is read anew: their releases, and those of tags, are now known by version and day.

delete from changes_read;

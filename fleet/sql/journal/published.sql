SELECT journal_key FROM published;

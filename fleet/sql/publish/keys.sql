SELECT journal_key FROM incoming WHERE day = ? ORDER BY journal_key;

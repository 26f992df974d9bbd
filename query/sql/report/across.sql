-- Whether questions.sql counts a question once over all projects. It does not where nobody said so. $1 boolean.
SET VARIABLE across = $1::BOOLEAN;

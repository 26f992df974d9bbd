-- Whether the period has a prompt for permission. Reads the variable `request`.
SELECT EXISTS (
    FROM prompts_of_days(
        getvariable('request').first_day, getvariable('request').last_day, getvariable('request').project
    )
);

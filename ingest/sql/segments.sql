-- The checkpoints.
SELECT segment, "offset", length, modified_ns, tail, events, epoch_us(last_hook_at), damage FROM segments;

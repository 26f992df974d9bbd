SELECT segment, head, "offset", events FROM segments;

package io.penstock.request;

import org.jspecify.annotations.Nullable;

/** What {@code sendError} asked for: an error page in place of the response. */
public record SentError(int status, @Nullable String message) {}

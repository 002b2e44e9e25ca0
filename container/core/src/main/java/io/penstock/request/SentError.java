package io.penstock.request;

import org.jspecify.annotations.Nullable;

/** A call of {@code sendError}: an error page replaces the response. */
public record SentError(int status, @Nullable String message) {}

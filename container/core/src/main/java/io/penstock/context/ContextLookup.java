package io.penstock.context;

import jakarta.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/** Finds another context of the same host for {@code ServletContext.getContext}. Thread: any. */
@FunctionalInterface
public interface ContextLookup {

    /** Finds no contexts. */
    ContextLookup NONE = (caller, path) -> null;

    /**
     * The context of the caller's host that serves the path, if {@code caller} is allowed to see it; else null.
     *
     * @param path starts with {@code /}
     */
    @Nullable
    ServletContext find(WebContext caller, String path);
}

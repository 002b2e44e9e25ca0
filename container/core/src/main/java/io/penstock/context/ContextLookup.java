package io.penstock.context;

import jakarta.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/** Finds another context of the server for {@code ServletContext.getContext}. Thread: any. */
@FunctionalInterface
public interface ContextLookup {

    /** Contexts do not see each other. */
    ContextLookup NONE = (asker, path) -> null;

    /**
     * The context that serves the path, if {@code asker} may have it; else null.
     *
     * @param path starts with {@code /}
     */
    @Nullable
    ServletContext find(ServletContext asker, String path);
}

package io.penstock.context;

import jakarta.servlet.DispatcherType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which filters a dispatch passes, and in what order (Servlet 6.1, 6.2.4 and 8.1.2); immutable. Thread: any. */
public final class FilterMappings {

    FilterMappings() {}

    /**
     * The filters of one dispatch, in order, each once: by URL pattern, then by servlet name. Usually a shared list; allocates
     * nothing then.
     *
     * @param path within the context, decoded; null for a dispatch by name
     * @param servletName of the servlet that the dispatch is for, or null
     */
    public List<FilterHolder> match(DispatcherType type, @Nullable String path, @Nullable String servletName) {
        return io.penstock.session.Pending.pending();
    }
}

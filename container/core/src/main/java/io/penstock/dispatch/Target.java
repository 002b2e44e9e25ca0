package io.penstock.dispatch;

import io.penstock.context.FilterHolder;
import io.penstock.context.ServletHolder;
import io.penstock.context.WebContext;
import io.penstock.http.RequestPath;
import io.penstock.http.Violation;
import io.penstock.mapping.Match;
import io.penstock.request.HttpRequest;
import io.penstock.request.PathView;
import jakarta.servlet.DispatcherType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The target of a dispatch: a path of a context, and its servlet.
 *
 * @param requestUri the undecoded path, with the context path
 * @param path the decoded path, without the context path
 * @param query the query string of the path, or null
 */
record Target(
        WebContext context,
        String requestUri,
        String path,
        @Nullable Match<ServletHolder> match,
        @Nullable String query) {

    /**
     * @param text the encoded path within the context, possibly with a query string
     * @throws Violation if the text is not a path
     */
    static Target of(WebContext context, String text) throws Violation {
        int mark = text.indexOf('?');
        String raw = mark < 0 ? text : text.substring(0, mark);
        String query = mark < 0 ? null : text.substring(mark + 1);
        RequestPath path = RequestPath.ofApplication(raw.isEmpty() ? "/" : raw);
        Match<ServletHolder> match = context.mappings().match(path.decoded());
        return new Target(context, context.getContextPath() + raw, path.decoded(), match, query);
    }

    /** This target with another query. */
    Target withQuery(@Nullable String other) {
        return new Target(context, requestUri, path, match, other);
    }

    /** Whether a servlet is mapped to the path. */
    boolean exists() {
        return match != null;
    }

    @Nullable
    ServletHolder servlet() {
        return match == null ? null : match.target();
    }

    List<FilterHolder> filters(DispatcherType type) {
        ServletHolder servlet = servlet();
        return context.filterMappings().match(type, path, servlet == null ? null : servlet.name());
    }

    /**
     * Returns the view of a request that is dispatched to this target. The view has the path elements of the target. In an include, this
     * view is used only to compute the include attributes.
     */
    PathView view(DispatcherType type, HttpRequest from, String method, Map<String, Object> attributes) {
        String shown = query != null ? query : from.getQueryString();
        return new PathView(
                type,
                context,
                context.contextPathIn(requestUri),
                requestUri,
                path,
                match,
                shown,
                query,
                method,
                new HashMap<>(attributes));
    }
}

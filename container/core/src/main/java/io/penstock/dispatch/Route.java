package io.penstock.dispatch;

import io.penstock.context.ServletHolder;
import io.penstock.context.WebContext;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestPath;
import io.penstock.mapping.Match;
import io.penstock.memory.HeapSize;
import io.penstock.request.Guard;
import io.penstock.request.PathView;
import jakarta.servlet.DispatcherType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The destination of a request. {@link ServletAdmission} finds the destination, so the worker need not look it up again. Immutable. */
public sealed interface Route {

    /**
     * A request for a context.
     *
     * @param path the whole path of the request
     * @param pathInContext the decoded path, without the context path; empty if the whole path is the context path
     * @param match the servlet; null if no servlet is mapped to the path
     * @param guard checks the request before the application gets it
     * @param answering the facts about the servlet; those of a context without servlets if none is mapped
     */
    record ToServlet(
            WebContext context,
            RequestPath path,
            String pathInContext,
            @Nullable Match<ServletHolder> match,
            Guard guard,
            ContextTable.Answering answering)
            implements Route {

        /** How many bytes of memory the texts take that were made of the path of the request. */
        int held() {
            int bytes = path.held();
            if (!context.getContextPath().isEmpty()) {
                bytes += HeapSize.text(pathInContext);
            }
            String info = match == null ? null : match.pathInfo();
            return info == null || info.length() == pathInContext.length() ? bytes : bytes + HeapSize.text(info);
        }

        /** Returns the view of the request as the client sent it. */
        PathView view(RequestHead head) {
            String raw = path.raw();
            return new PathView(
                    DispatcherType.REQUEST,
                    context,
                    context.contextPathIn(raw),
                    raw,
                    pathInContext,
                    match,
                    head.target().query(),
                    null,
                    head.method(),
                    Map.of());
        }
    }

    /** A request for the server itself: {@code OPTIONS *} (RFC 9110 section 9.3.7). */
    record ToServer() implements Route {}
}

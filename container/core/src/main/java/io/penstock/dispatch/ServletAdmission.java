package io.penstock.dispatch;

import io.penstock.address.Network;
import io.penstock.context.WebContext;
import io.penstock.exchange.Admission;
import io.penstock.exchange.Bulkhead;
import io.penstock.exchange.SpoolHistory;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.MediaType;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestPath;
import io.penstock.http.RequestTarget;
import io.penstock.http.Version;
import io.penstock.http.Violation;
import io.penstock.limits.AddressLimits;
import io.penstock.limits.AddressLimits.Rules;
import io.penstock.limits.Key;
import io.penstock.limits.Switch;
import io.penstock.mapping.ContextMappings;
import io.penstock.mapping.UrlPattern;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the context and the servlet of a request. Rejects requests that no context can serve, and requests that the constraints deny to
 * unauthenticated clients.
 *
 * <p>Thread: reactors. Reads immutable tables only.
 */
public final class ServletAdmission implements Admission {
    private static final Route TO_SERVER = new Route.ToServer();
    private static final Limited UNKNOWN_HOST = new Limited(Key.UNKNOWN_HOST, Fields.EMPTY);

    private static final Limited TRACE =
            new Limited(Key.TRACE_METHOD, new FieldList().add("Allow", ServletHandler.SERVER_METHODS));

    /**
     * The clients of single paths, as {@link Rules} has those of the server. A path without a value has that of the nearest path above
     * it.
     *
     * @param allowed null if no path has such a value
     * @param denied null if no path has such a value
     */
    public record PathAddresses(
            @Nullable PathTable<List<Network>> allowed,
            @Nullable PathTable<List<Network>> denied) {

        /** Returns null if no path has a value. */
        public static @Nullable PathAddresses of(AddressLimits limits) {
            PathAddresses all =
                    new PathAddresses(PathTable.of(limits.allowedOfPaths()), PathTable.of(limits.deniedOfPaths()));
            return all.allowed == null && all.denied == null ? null : all;
        }
    }

    private final SpoolHistory ofServer = new SpoolHistory();
    private final ContextTable contexts;
    private final long bodyLimit;
    private final List<UrlPattern> streaming;
    private final @Nullable PathTable<Bulkhead> bulkheads;
    private final @Nullable PathAddresses addresses;
    private final @Nullable PathTable<Long> bodyLimits;
    private final Switch traceMethod;

    /**
     * @param bodyLimit the largest acceptable body in bytes; a larger body is answered 413
     * @param streaming patterns of full paths, with the context path; requests for these paths are always streamed
     * @param bulkheads null if there are none
     * @param addresses the clients of single paths; null if there are no such rules
     * @param bodyLimits the largest bodies of single paths in bytes; null if there are no such limits
     * @param traceMethod whether requests with the method TRACE reach the application
     */
    public ServletAdmission(
            ContextTable contexts,
            long bodyLimit,
            List<UrlPattern> streaming,
            @Nullable PathTable<Bulkhead> bulkheads,
            @Nullable PathAddresses addresses,
            @Nullable PathTable<Long> bodyLimits,
            Switch traceMethod) {
        this.contexts = contexts;
        this.bodyLimit = bodyLimit;
        this.streaming = List.copyOf(streaming);
        this.bulkheads = bulkheads;
        this.addresses = addresses;
        this.bodyLimits = bodyLimits;
        this.traceMethod = traceMethod;
    }

    @Override
    public @Nullable Limited stop(RequestHead head, @Nullable InetAddress client) throws Violation {
        RequestTarget.Form form = head.target().form();
        if (addresses == null || form == RequestTarget.Form.ASTERISK || form == RequestTarget.Form.AUTHORITY) {
            return null;
        }
        ContextMappings<ContextTable.Entry> ofHost = contexts.ofHost(head);
        String path = RequestPath.of(head.target().path()).decoded();
        ContextTable.Entry entry = ofHost == null ? null : ofHost.match(path);
        if (entry == null) {
            return null;
        }
        List<Network> allowed = find(addresses.allowed, path, entry.context());
        List<Network> denied = find(addresses.denied, path, entry.context());
        Key refusal =
                new Rules(allowed == null ? List.of() : allowed, denied == null ? List.of() : denied).refusal(client);
        return refusal == null ? null : new Limited(refusal, Fields.EMPTY);
    }

    @Override
    public Verdict admit(RequestHead head) throws Violation {
        ContextMappings<ContextTable.Entry> ofHost = contexts.ofHost(head);
        if (ofHost == null) {
            return UNKNOWN_HOST;
        }
        if (traceMethod == Switch.OFF && head.method().equals("TRACE")) {
            return TRACE;
        }
        RequestTarget target = head.target();
        switch (target.form()) {
            case ASTERISK -> {
                if (!head.method().equals("OPTIONS")) {
                    throw new Violation(400, "asterisk form without OPTIONS");
                }
                return new Admitted(TO_SERVER, Mode.BUFFERED, bodyLimit, ofServer, null, 0);
            }
            case AUTHORITY -> throw new Violation(501, "CONNECT is for proxies");
            case ORIGIN, ABSOLUTE -> {
                return route(head, RequestPath.of(target.path()), ofHost);
            }
        }
        throw new IllegalStateException("Not a known form of a target: " + target.form());
    }

    private Verdict route(RequestHead head, RequestPath path, ContextMappings<ContextTable.Entry> ofHost) {
        String decoded = path.decoded();
        ContextTable.Entry entry = ofHost.match(decoded);
        if (entry == null) {
            return new Refused(404, Fields.EMPTY);
        }
        Route.ToServlet route = entry.route(path);
        String inContext = route.pathInContext();
        Refused refused = entry.guard().atHead(head, inContext);
        if (refused != null) {
            return refused;
        }
        ContextTable.Answering answering = route.answering();
        WebContext context = entry.context();
        boolean streams = answering.streams() || isStreamingPath(decoded) || isGrpc(head);
        Long ofPath = find(bodyLimits, decoded, context);
        return new Admitted(
                route,
                streams ? Mode.STREAMING : bufferedMode(head, answering),
                ofPath == null ? bodyLimit : ofPath,
                answering.history(),
                find(bulkheads, decoded, context),
                route.held(),
                answering.mappings().of(inContext));
    }

    private static <T> @Nullable T find(@Nullable PathTable<T> table, String path, WebContext context) {
        return table == null ? null : table.find(context.settings().host(), path, context.getContextPath());
    }

    /** Whether the request is a call of gRPC, whose client may wait for answers before it sends more. */
    private static boolean isGrpc(RequestHead head) {
        if (head.version() != Version.HTTP_2) {
            return false;
        }
        String type = head.fields().first("Content-Type");
        return type != null && type.startsWith("application/grpc");
    }

    private static Mode bufferedMode(RequestHead head, ContextTable.Answering answering) {
        return answering.readsForms() && isForm(head) ? Mode.BUFFERED_FORM : Mode.BUFFERED;
    }

    private static boolean isForm(RequestHead head) {
        MediaType type = MediaType.parse(head.fields().first("Content-Type"));
        return type != null && type.is("multipart/form-data");
    }

    private boolean isStreamingPath(String path) {
        for (int i = 0; i < streaming.size(); i++) {
            if (streaming.get(i).covers(path)) {
                return true;
            }
        }
        return false;
    }
}

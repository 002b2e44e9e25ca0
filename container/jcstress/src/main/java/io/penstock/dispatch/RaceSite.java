package io.penstock.dispatch;

import io.penstock.context.ContextServices;
import io.penstock.context.ContextSettings;
import io.penstock.context.ServletHolder;
import io.penstock.context.WebContext;
import io.penstock.exchange.Admission;
import io.penstock.http.FieldList;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestTarget;
import io.penstock.http.Version;
import io.penstock.http.Violation;
import io.penstock.limits.Counters;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.ServerConfig.Redirects;
import io.penstock.limits.Switch;
import io.penstock.request.Compressors;
import io.penstock.request.CountedLimits;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * One real servlet context, which all objects of {@link AsyncRace} use. The servlet {@code /start} starts asynchronous processing. The
 * servlet {@code /again} is the target of dispatches.
 */
final class RaceSite {
    private static final int BUFFER = 512;
    private static final RequestHead HEAD = new RequestHead(
            "POST",
            RequestTarget.origin("/race/start"),
            Version.HTTP_1_1,
            new FieldList().add("Host", "race.test").add("Content-Length", "10"));

    private static final RaceSite SITE = new RaceSite();

    private final ContextTable table = new ContextTable();
    private final ServletHandler handler = new ServletHandler(
            table,
            new ServletHandler.Settings(
                    BUFFER,
                    new CountedLimits(ServerConfig.defaults().parameters(), new Counters()),
                    Duration.ofSeconds(30),
                    Redirects.ABSOLUTE,
                    new Compressors(1, () -> {}),
                    Switch.ON));
    private final Object route;

    /** Passes the first request to the {@link AsyncRace} of the current thread. */
    private static final class Start extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            AsyncRace.starting().start(request);
        }
    }

    private static final class Again extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            ((AsyncRace) request.getAttribute(AsyncRace.ATTRIBUTE)).dispatchedAgain();
            response.getOutputStream().print("again");
        }
    }

    private RaceSite() {
        WebContext context =
                new WebContext(ContextSettings.builder("/race").build(), ContextServices.defaults(new Dispatchers()));
        map(context, "start", new Start());
        map(context, "again", new Again());
        try {
            context.start();
            Runtime.getRuntime().addShutdownHook(new Thread(context::stop));
            table.put(context);
            Admission.Verdict verdict =
                    new ServletAdmission(table, 1000, List.of(), null, null, null, Switch.OFF).admit(HEAD);
            route = ((Admission.Admitted) verdict).route();
        } catch (ServletException | Violation e) {
            throw new IllegalStateException(e);
        }
    }

    private static void map(WebContext context, String name, HttpServlet servlet) {
        ServletHolder holder = Objects.requireNonNull(context.servlets().declare(name, servlet));
        holder.asyncSupported(true);
        context.servlets().map(holder, List.of("/" + name));
    }

    static RaceExchange exchange() {
        return new RaceExchange(HEAD, SITE.route);
    }

    /** Runs the first dispatch of a request, like a worker. */
    static void serve(RaceExchange exchange) {
        try {
            SITE.handler.handle(exchange);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        exchange.endTurn();
    }
}

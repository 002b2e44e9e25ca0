package io.penstock.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.FakeResponse;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests forward, include and dispatch by name (Servlet 6.1, chapter 9). */
class DispatchTest {
    private final App app = new App();

    @AfterEach
    void stop() {
        app.close();
    }

    private static String path(HttpServletRequest request) {
        return request.getDispatcherType() + " " + request.getRequestURI() + " " + request.getServletPath() + " "
                + request.getPathInfo() + " " + request.getQueryString() + " "
                + request.getHttpServletMapping().getPattern();
    }

    private static String attributes(HttpServletRequest request, String kind) {
        return request.getAttribute("jakarta.servlet." + kind + ".request_uri") + " "
                + request.getAttribute("jakarta.servlet." + kind + ".context_path") + " "
                + request.getAttribute("jakarta.servlet." + kind + ".servlet_path") + " "
                + request.getAttribute("jakarta.servlet." + kind + ".path_info") + " "
                + request.getAttribute("jakarta.servlet." + kind + ".query_string");
    }

    @Test
    void theRequestHasThePathElementsOfItsUrl() {
        app.servlet("/a/*", (request, response) -> response.getWriter().print(path(request)));
        app.start();
        FakeResponse sink = app.get("/app/a/b%20c;x=1?q=1");
        assertEquals("REQUEST /app/a/b%20c;x=1 /a /b c q=1 /a/*", sink.text());
    }

    @Test
    void aForwardedRequestHasThePathOfTheTargetAndKeepsTheOriginalPathInAttributes() {
        app.servlet("/from/*", (request, response) -> {
            response.getWriter().print("forgotten");
            request.getRequestDispatcher("/to/x?b=2").forward(request, response);
            response.getWriter().print("ignored");
        });
        app.servlet("/to/*", (request, response) -> response.getWriter()
                .print(path(request) + "|" + attributes(request, "forward") + "|" + request.getParameter("a")
                        + request.getParameter("b")));
        app.start();
        FakeResponse sink = app.get("/app/from/y?a=1&b=1");
        assertEquals("FORWARD /app/to/x /to /x b=2 /to/*|/app/from/y /app /from /y a=1&b=1|12", sink.text());
    }

    @Test
    void parametersOfTheDispatchPathPrecedeThoseOfTheRequestUntilTheDispatchReturns() {
        List<String> seen = new ArrayList<>();
        app.servlet("/from", (request, response) -> {
            request.getRequestDispatcher("/to?a=new").include(request, response);
            seen.add(String.join(",", request.getParameterValues("a")));
        });
        app.servlet("/to", (request, response) -> seen.add(String.join(",", request.getParameterValues("a"))));
        app.start();
        app.get("/app/from?a=old");
        assertEquals(List.of("new,old", "old"), seen);
    }

    @Test
    void aSecondForwardKeepsTheAttributesOfTheFirstForward() {
        app.servlet(
                "/1", (request, response) -> request.getRequestDispatcher("/2").forward(request, response));
        app.servlet(
                "/2", (request, response) -> request.getRequestDispatcher("/3").forward(request, response));
        app.servlet("/3", (request, response) -> response.getWriter().print(attributes(request, "forward")));
        app.start();
        assertEquals("/app/1 /app /1 null null", app.get("/app/1").text());
    }

    @Test
    void anIncludedServletCanWriteTheBodyButCannotChangeTheStatusOrTheHeaders() {
        app.servlet("/page", (request, response) -> {
            response.setHeader("X-Page", "1");
            response.getWriter().print("[");
            request.getRequestDispatcher("part?q=2").include(request, response);
            response.getWriter().print("]");
            assertNull(request.getAttribute(RequestDispatcher.INCLUDE_REQUEST_URI));
        });
        app.servlet("/part", (request, response) -> {
            response.setStatus(500);
            response.setHeader("X-Page", "2");
            response.setContentType("text/x");
            response.sendError(404);
            response.getWriter().print(path(request) + "|" + attributes(request, "include"));
        });
        app.start();
        FakeResponse sink = app.get("/app/page");
        assertEquals("[INCLUDE /app/page /page null null /page|/app/part /app /part null q=2]", sink.text());
        assertEquals(200, sink.status());
        assertEquals("1", sink.header("X-Page"));
        assertNull(sink.header("Content-Type"));
    }

    @Test
    void aDispatchByNameAddsNoAttributesAndDoesNotChangeThePath() {
        app.servlet("/from", (request, response) -> request.getServletContext()
                .getNamedDispatcher("target")
                .forward(request, response));
        app.servlet("target", "/to", (request, response) -> response.getWriter()
                .print(path(request) + "|" + attributes(request, "forward")));
        app.start();
        assertEquals(
                "FORWARD /app/from /from null null /from|null null null null null",
                app.get("/app/from").text());
    }

    @Test
    void theTargetOfAnIncludeGetsTheRequestWrapperOfTheCaller() {
        AtomicReference<Object> given = new AtomicReference<>();
        app.servlet("/from", (request, response) -> {
            HttpServletRequestWrapper wrapped = new HttpServletRequestWrapper(request) {
                @Override
                public String getHeader(String name) {
                    return "wrapped";
                }
            };
            given.set(wrapped);
            request.getRequestDispatcher("/to").include(wrapped, new HttpServletResponseWrapper(response));
            assertEquals("/app/from", wrapped.getRequestURI());
            assertSame(request, wrapped.getRequest());
        });
        app.servlet("/to", (request, response) -> {
            assertSame(given.get(), request);
            assertEquals(DispatcherType.INCLUDE, request.getDispatcherType());
            response.getWriter().print(request.getHeader("any"));
        });
        app.start();
        assertEquals("wrapped", app.get("/app/from").text());
    }

    @Test
    void aRequestStoredByTheTargetOfAForwardStillHasThePathOfTheTarget() {
        List<HttpServletRequest> kept = new ArrayList<>();
        app.servlet("/from", (request, response) -> {
            request.getRequestDispatcher("/to").forward(request, response);
            assertEquals("/app/from", request.getRequestURI());
            assertEquals("/app/to", kept.get(0).getRequestURI());
        });
        app.servlet("/to", (request, response) -> kept.add(request));
        app.start();
        assertEquals(200, app.get("/app/from").status());
    }

    @Test
    void aForwardAfterTheCommitThrowsIllegalStateException() {
        app.servlet("/from", (request, response) -> {
            response.flushBuffer();
            RequestDispatcher dispatcher = request.getRequestDispatcher("/from");
            assertThrows(IllegalStateException.class, () -> dispatcher.forward(request, response));
        });
        app.start();
        assertTrue(app.get("/app/from").isEnded());
    }

    @Test
    void filtersRunForTheDispatcherTypesOfTheirMappings() {
        List<String> seen = new ArrayList<>();
        app.filter("/*", EnumSet.of(DispatcherType.REQUEST), (request, response, chain) -> {
            seen.add("request filter");
            chain.doFilter(request, response);
        });
        app.filter("/to", EnumSet.of(DispatcherType.FORWARD), (request, response, chain) -> {
            seen.add("forward filter " + request.getServletPath());
            chain.doFilter(request, response);
        });
        app.servlet("/from", (request, response) -> request.getRequestDispatcher("/to")
                .forward(request, response));
        app.servlet("/to", (request, response) -> seen.add("target"));
        app.start();
        app.get("/app/from");
        assertEquals(List.of("request filter", "forward filter /to", "target"), seen);
    }

    @Test
    void noDispatcherExistsForAPathOutsideTheContextOrForAnUnknownServletName() {
        List<Object> found = new ArrayList<>();
        app.servlet("/from", (request, response) -> {
            found.add(String.valueOf(request.getRequestDispatcher("/../../etc")));
            found.add(String.valueOf(request.getServletContext().getNamedDispatcher("nobody")));
        });
        app.start();
        app.get("/app/from");
        assertEquals(List.of("null", "null"), found);
    }

    @Test
    void anExceptionOfTheIncludedServletIsThrownToTheCaller() {
        app.servlet("/from", (request, response) -> {
            try {
                request.getRequestDispatcher("/to").include(request, response);
            } catch (IOException e) {
                response.getWriter().print("caught " + e.getMessage());
            }
        });
        app.servlet("/to", (request, response) -> {
            throw new IOException("broken");
        });
        app.start();
        assertEquals("caught broken", app.get("/app/from").text());
    }

    @Test
    void aServletStaysAvailableIfTheTargetOfItsDispatchIsUnavailable() {
        app.servlet("/front/*", (request, response) -> {
            switch (String.valueOf(request.getPathInfo())) {
                case "/resting" -> request.getRequestDispatcher("/resting").include(request, response);
                case "/gone" -> request.getRequestDispatcher("/gone").forward(request, response);
                default -> response.getWriter().print("open");
            }
        });
        app.servlet("/resting", (request, response) -> {
            throw new UnavailableException("resting", 60);
        });
        app.servlet("/gone", (request, response) -> {
            throw new UnavailableException("gone");
        });
        app.start();
        // At the second request of each kind, the container itself says that the target is unavailable.
        for (int status : new int[] {503, 503, 404, 404}) {
            String target = status == 503 ? "/resting" : "/gone";
            FakeResponse refused = app.get("/app/front" + target);
            assertEquals(status, refused.status());
            assertEquals(status == 503, refused.header("Retry-After") != null);
            assertEquals("open", app.get("/app/front/page").text());
        }
        assertEquals(404, app.get("/app/gone").status());
    }

    @Test
    void aServletStaysAvailableIfItsDispatchLeadsToAContextThatHasBeenUndeployed() {
        App other = new App("/other", settings -> settings.displayName("other"));
        other.servlet("/page", (request, response) -> response.getWriter().print("other"));
        other.start();
        app.servlet("/front", (request, response) -> {
            if (request.getQueryString() == null) {
                response.getWriter().print("open");
            } else {
                other.context().getRequestDispatcher("/page").forward(request, response);
            }
        });
        app.start();
        assertEquals("other", app.get("/app/front?other").text());
        other.context().inFlight().close();
        assertEquals(404, app.get("/app/front?other").status());
        assertEquals("open", app.get("/app/front").text());
        other.close();
    }

    @Test
    void theQueryOfADispatchMayHaveCharactersBeyondAsciiWithoutAnEscapeAsThePathMay() {
        app.servlet("/from", (request, response) -> request.getRequestDispatcher("/tö?name=Zoë 日本&escaped=Zo%C3%AB")
                .forward(request, response));
        app.servlet("/tö", (request, response) -> {
            response.setCharacterEncoding("UTF-8");
            response.getWriter()
                    .print(request.getParameter("name") + "|" + request.getParameter("escaped") + "|"
                            + request.getParameter("a") + "|" + request.getQueryString());
        });
        app.start();
        assertEquals(
                "Zoë 日本|Zoë|1|name=Zoë 日本&escaped=Zo%C3%AB",
                app.get("/app/from?a=1").text());
    }

    @Test
    void requestsAndTheirStreamsCannotBeUsedAfterTheEndOfTheExchange() {
        List<HttpServletRequest> requests = new ArrayList<>();
        List<jakarta.servlet.ServletOutputStream> streams = new ArrayList<>();
        app.servlet("/a", (request, response) -> {
            requests.add(request);
            streams.add(response.getOutputStream());
        });
        app.start();
        app.get("/app/a");
        FakeResponse second = app.get("/app/a");
        assertThrows(IOException.class, () -> streams.get(0).write(1));
        assertThrows(IOException.class, () -> requests.get(0).getInputStream().read());
        assertThrows(IllegalStateException.class, () -> requests.get(0).startAsync());
        assertFalse(requests.get(0) == requests.get(1));
        assertEquals("", second.text());
    }
}

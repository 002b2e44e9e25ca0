package io.penstock.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests how relative paths of request dispatchers are resolved (Servlet 6.1, section 9.1). */
final class IncludedPathTest {

    private static App app() {
        App app = new App();
        app.servlet("/one/target", (request, response) -> response.getWriter().print("one"));
        app.servlet("/two/target", (request, response) -> response.getWriter().print("two"));
        app.servlet("/", (request, response) -> response.getWriter().print("root"));
        return app;
    }

    @Test
    void aRelativePathIsResolvedAgainstThePathOfTheIncludedServlet() {
        try (App app = app()) {
            app.servlet("/two/inner/*", (request, response) -> request.getRequestDispatcher("../target")
                    .include(request, response));
            app.servlet("/one/outer", (request, response) -> {
                request.getRequestDispatcher("/two/inner/x").include(request, response);
                request.getRequestDispatcher("target").include(request, response);
            });
            app.start();
            assertEquals("twoone", app.get("/app/one/outer").text());
        }
    }

    @Test
    void anEmptyDispatcherPathMeansTheRootOfTheContext() {
        try (App app = app()) {
            app.servlet("/one/empty", (request, response) -> request.getServletContext()
                    .getRequestDispatcher("")
                    .forward(request, response));
            app.start();
            assertEquals("root", app.get("/app/one/empty").text());
        }
    }
}

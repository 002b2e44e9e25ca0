package io.penstock.sample.errors;

import io.penstock.sample.page.Html;
import io.penstock.sample.page.Page;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Writes the page for failed requests. The descriptor {@code web.xml} declares this servlet as the error page. */
@WebServlet("/error")
public class ErrorServlet extends HttpServlet {

    /** Handles requests of all methods, because a request of any method can fail. */
    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getDispatcherType() != DispatcherType.ERROR) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        Page.of(request, "errors.html", "Error " + status)
                .add("""
                        <h1><span class="status">%s</span> %s</h1>
                        <p class="lead">%s</p>
                        """, status, title(status), advice(status))
                .add("<section class=\"panel\"><dl id=\"failure\">%s</dl></section>", failure(request))
                .add(
                        "<p><a class=\"button\" href=\"%s/errors.html\">Back to the errors</a></p>",
                        request.getContextPath())
                .shows(explanation(), "errors/ErrorServlet.java")
                .send(response);
    }

    private static String title(Object status) {
        return switch (String.valueOf(status)) {
            case "404" -> "Nothing here";
            case "413" -> "Too large";
            case "500" -> "That went wrong";
            default -> "That did not work";
        };
    }

    private static String advice(Object status) {
        return switch (String.valueOf(status)) {
            case "404" -> "There is no page at this address. The navigation lists every page.";
            case "413" -> "The request is larger than this page accepts.";
            case "500" ->
                "A servlet has failed. Its stack trace is in the server’s log. The application continues to run.";
            default -> "The request is not valid.";
        };
    }

    private static Html failure(HttpServletRequest request) {
        return Html.of(
                "%s%s%s%s",
                term("Address", request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI)),
                term("Message", request.getAttribute(RequestDispatcher.ERROR_MESSAGE)),
                term("Exception", exceptionName(request)),
                term("Servlet", request.getAttribute(RequestDispatcher.ERROR_SERVLET_NAME)));
    }

    private static Object exceptionName(HttpServletRequest request) {
        Object type = request.getAttribute(RequestDispatcher.ERROR_EXCEPTION_TYPE);
        return type instanceof Class<?> exception ? exception.getName() : null;
    }

    private static Html term(String name, Object value) {
        return value == null || value.toString().isEmpty()
                ? Html.NOTHING
                : Html.of("<dt>%s</dt><dd>%s</dd>", name, value);
    }

    private static Html explanation() {
        return new Html("""
                <p>The container has dispatched the failed request to this servlet, with
                <code>DispatcherType.ERROR</code>. Request attributes such as
                <code>jakarta.servlet.error.status_code</code> describe the failure. The response keeps the status of
                the failure.</p>
                """);
    }
}

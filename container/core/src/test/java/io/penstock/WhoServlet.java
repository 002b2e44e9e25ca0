package io.penstock;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** Writes the user of the request, and counts the requests. */
class WhoServlet extends HttpServlet {
    private final transient AtomicInteger calls = new AtomicInteger();

    int calls() {
        return calls.get();
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        calls.incrementAndGet();
        response.getWriter().print("reached by " + tell(request));
    }

    static String tell(HttpServletRequest request) {
        return request.getRemoteUser() + "/" + request.getUserPrincipal() + "/" + request.getAuthType() + "/staff="
                + request.isUserInRole("staff");
    }
}

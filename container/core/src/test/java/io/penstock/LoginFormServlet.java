package io.penstock;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A page of a form login. The page writes its name and the name of the logged-in user. */
final class LoginFormServlet extends HttpServlet {
    private final String page;

    LoginFormServlet(String page) {
        this.page = page;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getWriter().print(page + " for " + request.getRemoteUser());
    }
}

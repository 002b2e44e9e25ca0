package io.penstock.sample.echo;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Answers with the request's body, whatever the method. */
@WebServlet("/echo-body")
public class EchoBodyServlet extends HttpServlet {

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        // Not the request's own type: otherwise an attacker could make a browser send a body and show it as a page.
        response.setContentType("application/octet-stream");
        request.getInputStream().transferTo(response.getOutputStream());
    }
}

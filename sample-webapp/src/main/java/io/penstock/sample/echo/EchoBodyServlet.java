package io.penstock.sample.echo;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Sends the body of the request back, for each method. */
@WebServlet("/echo-body")
public class EchoBodyServlet extends HttpServlet {

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        // The type of the request is not used. Otherwise, an attacker could make a browser send a body and show the
        // response as a page.
        response.setContentType("application/octet-stream");
        request.getInputStream().transferTo(response.getOutputStream());
    }
}

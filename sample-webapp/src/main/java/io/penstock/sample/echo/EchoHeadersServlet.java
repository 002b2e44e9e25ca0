package io.penstock.sample.echo;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collections;

/** Sends the header lines of the request back as {@code Name: value}, for each method. */
@WebServlet("/echo")
public class EchoHeadersServlet extends HttpServlet {

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain;charset=ISO-8859-1");
        PrintWriter out = response.getWriter();
        for (String name : Collections.list(request.getHeaderNames())) {
            for (String value : Collections.list(request.getHeaders(name))) {
                out.print(name + ": " + value + "\n");
            }
        }
    }
}

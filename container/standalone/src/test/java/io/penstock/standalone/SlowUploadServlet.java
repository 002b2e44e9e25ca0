package io.penstock.standalone;

import jakarta.servlet.annotation.WebInitParam;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Reads a request body in streaming mode. In this mode, a worker waits while a slow client sends the body. */
@WebServlet(urlPatterns = "/upload/*", initParams = @WebInitParam(name = "penstock.streaming", value = "true"))
public class SlowUploadServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getOutputStream().print(request.getInputStream().readAllBytes().length);
    }
}

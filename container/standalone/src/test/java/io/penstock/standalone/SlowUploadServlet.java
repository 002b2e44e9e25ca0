package io.penstock.standalone;

import jakarta.servlet.annotation.WebInitParam;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Reads a body while the body arrives, so a worker waits for the client. */
@WebServlet(urlPatterns = "/upload/*", initParams = @WebInitParam(name = "penstock.streaming", value = "true"))
public class SlowUploadServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getOutputStream().print(request.getInputStream().readAllBytes().length);
    }
}

package io.penstock.deploy.application;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A servlet that reads the body without blocking. */
public class NonBlockingServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ServletInputStream body = request.getInputStream();
        request.startAsync();
        body.setReadListener(new ReadListener() {
            @Override
            public void onDataAvailable() throws IOException {
                while (body.isReady() && !body.isFinished()) {
                    body.skip(1);
                }
            }

            @Override
            public void onAllDataRead() {
                request.getAsyncContext().complete();
            }

            @Override
            public void onError(Throwable failure) {
                request.getAsyncContext().complete();
            }
        });
    }
}

package io.penstock.sample.filter;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;

/**
 * Measures the time of the remaining filters and the servlet. Sends the time in the header field {@code Server-Timing}.
 * Browsers show this field in their developer tools. If the response is already committed, the field is not sent.
 */
@WebFilter(urlPatterns = "/*", asyncSupported = true)
public class TimingFilter extends HttpFilter {

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        long start = System.nanoTime();
        chain.doFilter(request, response);
        if (!response.isCommitted()) {
            double millis = (System.nanoTime() - start) / 1e6;
            response.setHeader("Server-Timing", String.format(Locale.ROOT, "servlet;dur=%.3f", millis));
        }
    }
}

package io.penstock.sample.details;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The properties of a request, grouped by subject. */
final class Details {
    private Details() {}

    static List<Detail> address(HttpServletRequest request) {
        HttpServletMapping mapping = request.getHttpServletMapping();
        return List.of(
                new Detail("Method", request.getMethod()),
                new Detail("Protocol", request.getProtocol()),
                new Detail("URL", request.getRequestURL()),
                new Detail("Request URI", request.getRequestURI()),
                new Detail("Context path", request.getContextPath()),
                new Detail("Servlet path", request.getServletPath()),
                new Detail("Path info", request.getPathInfo()),
                new Detail("Query string", request.getQueryString()),
                new Detail("Mapping", mapping.getPattern() + " (" + mapping.getMappingMatch() + ")"),
                new Detail("Servlet", mapping.getServletName()));
    }

    static List<Detail> headers(HttpServletRequest request) {
        return Collections.list(request.getHeaderNames()).stream()
                .flatMap(name ->
                        Collections.list(request.getHeaders(name)).stream().map(value -> new Detail(name, value)))
                .toList();
    }

    static List<Detail> parameters(HttpServletRequest request) {
        return request.getParameterMap().entrySet().stream()
                .flatMap(parameter ->
                        Arrays.stream(parameter.getValue()).map(value -> new Detail(parameter.getKey(), value)))
                .toList();
    }

    static List<Detail> cookies(HttpServletRequest request) {
        Cookie[] cookies = request.getCookies();
        if (cookies == null) {
            return List.of();
        }
        return Arrays.stream(cookies)
                .map(cookie -> new Detail(cookie.getName(), cookie.getValue()))
                .toList();
    }

    static List<Detail> connection(HttpServletRequest request) {
        return List.of(
                new Detail("Your address", request.getRemoteAddr() + ", port " + request.getRemotePort()),
                new Detail("Our address", request.getLocalAddr() + ", port " + request.getLocalPort()),
                new Detail("Connection", request.getServletConnection().getConnectionId()),
                new Detail("Encrypted", request.isSecure() ? "yes" : "no"),
                new Detail("Languages", Collections.list(request.getLocales())),
                new Detail("Thread", Thread.currentThread().getName()),
                new Detail("Server", request.getServletContext().getServerInfo()));
    }
}

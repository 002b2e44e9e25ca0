package io.penstock.compatibility;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieManager;
import java.net.PasswordAuthentication;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;

/** The client of one user of an application. It stores the cookies of this user. */
public record Site(URI root, HttpClient client) {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    public static Site at(URI root) {
        return new Site(
                root,
                HttpClient.newBuilder()
                        .cookieHandler(new CookieManager())
                        .followRedirects(HttpClient.Redirect.NORMAL)
                        .build());
    }

    /** Returns a client for another user. It logs in by Basic authentication, and stores no cookies. */
    public Site as(String name, String password) {
        Authenticator login = new Authenticator() {
            @Override
            protected PasswordAuthentication getPasswordAuthentication() {
                return new PasswordAuthentication(name, password.toCharArray());
            }
        };
        return new Site(root, HttpClient.newBuilder().authenticator(login).build());
    }

    public URI uri(String path) {
        return root.resolve(path);
    }

    public HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        return send(request(path, headers).GET());
    }

    public HttpResponse<String> post(String path, String type, String body) throws IOException, InterruptedException {
        return send(request(path, "Content-Type", type).POST(BodyPublishers.ofString(body)));
    }

    public HttpResponse<String> put(String path, String type, String body) throws IOException, InterruptedException {
        return send(request(path, "Content-Type", type).PUT(BodyPublishers.ofString(body)));
    }

    public HttpResponse<String> form(String path, String fields) throws IOException, InterruptedException {
        return post(path, "application/x-www-form-urlencoded", fields);
    }

    private HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).timeout(PATIENCE);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request;
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}

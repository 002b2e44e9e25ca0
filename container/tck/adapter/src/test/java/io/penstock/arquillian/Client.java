package io.penstock.arquillian;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Sends HTTP requests to a deployed archive. */
final class Client {
    private Client() {}

    static HttpResponse<String> get(URL base, String path) throws IOException, InterruptedException {
        return send(to(base, path));
    }

    /** Sends a GET request with a user name and a password for Basic authentication. */
    static HttpResponse<String> get(URL base, String path, String name, String password)
            throws IOException, InterruptedException {
        String credentials =
                Base64.getEncoder().encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8));
        return send(to(base, path).header("Authorization", "Basic " + credentials));
    }

    private static HttpRequest.Builder to(URL base, String path) {
        return HttpRequest.newBuilder(URI.create(base.toString()).resolve(path));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}

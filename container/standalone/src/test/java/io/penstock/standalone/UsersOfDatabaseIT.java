package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.realm.Passwords;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Base64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a realm whose users are stored in a database. */
class UsersOfDatabaseIT {
    @TempDir
    Path folder;

    private Path application;
    private String url = "";
    private Path sources;

    @BeforeEach
    void prepare() throws Exception {
        application = folder.resolve("shop");
        Files.writeString(Files.createDirectories(application).resolve("orders.txt"), "three orders");
        Files.writeString(Files.createDirectory(application.resolve("WEB-INF")).resolve("web.xml"), """
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                  <security-constraint>
                    <web-resource-collection>
                      <web-resource-name>orders</web-resource-name>
                      <url-pattern>/orders.txt</url-pattern>
                    </web-resource-collection>
                    <auth-constraint><role-name>staff</role-name></auth-constraint>
                  </security-constraint>
                  <login-config><auth-method>BASIC</auth-method></login-config>
                  <security-role><role-name>staff</role-name></security-role>
                </web-app>
                """);
        url = "jdbc:h2:file:" + folder.resolve("users");
        sources = Files.writeString(
                folder.resolve("sources"), "jdbc/users.url = " + url + "\njdbc/users.jars = " + driver() + "\n");
        try (Connection users = DriverManager.getConnection(url);
                Statement tables = users.createStatement()) {
            tables.execute("create table users (name varchar primary key, password varchar)");
            tables.execute("create table user_roles (name varchar, role varchar)");
            tables.execute("insert into user_roles values ('ann', 'staff'), ('ben', 'guest')");
            for (String name : new String[] {"ann", "ben"}) {
                try (PreparedStatement user = users.prepareStatement("insert into users values (?, ?)")) {
                    user.setString(1, name);
                    user.setString(2, Passwords.hash("open sesame"));
                    user.execute();
                }
            }
        }
    }

    private static Path driver() throws Exception {
        return Path.of(org.h2.Driver.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    }

    @Test
    void onlyAUserWithTheRequiredRoleInTheDatabaseHasAccess() throws Exception {
        try (JarProcess jar = JarProcess.run(
                "--port",
                "0",
                "--data-sources",
                sources.toString(),
                "--realm-data-source",
                "jdbc/users",
                application.toString())) {
            URI orders = URI.create("http://localhost:" + JarProcess.port(jar.startLine()) + "/orders.txt");
            assertEquals(200, status(orders, "ann:open sesame"), jar.log());
            assertEquals(401, status(orders, "ann:open"), jar.log());
            assertEquals(403, status(orders, "ben:open sesame"), jar.log());
            assertEquals(401, status(orders, "eve:open sesame"), jar.log());
        }
    }

    @Test
    void anUnknownDataSourceForTheRealmIsReported() throws Exception {
        try (JarProcess jar = JarProcess.run(
                "--port",
                "0",
                "--data-sources",
                sources.toString(),
                "--realm-data-source",
                "jdbc/user",
                application.toString())) {
            jar.ended().assertError(2, "realm-data-source: no data source has the name 'jdbc/user'");
        }
    }

    private static int status(URI uri, String user) throws IOException, InterruptedException {
        String credentials = Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("Authorization", "Basic " + credentials)
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}

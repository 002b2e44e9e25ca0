package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.admin.JsonValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Line breaks and control characters in the name of an application must not change the output of the admin port. */
class HostileApplicationNamesTest {

    @RegisterExtension
    final LeakCheck nothingLeft = new LeakCheck();

    @TempDir
    Path folder;

    @Test
    void theAdminPortReplacesLineBreaksAndControlCharactersInApplicationNames() throws Exception {
        Files.writeString(Files.createDirectory(folder.resolve("WEB-INF")).resolve("web.xml"), """
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                  <display-name>Shop&#10;/admin&#x9b;31m&#x202e;&lt;script></display-name>
                </web-app>
                """);
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("admin-port", "0")
                .war("/shop", folder)
                .context("/nameless", context -> context.resources(folder))
                .start()) {
            AdminPort admin = AdminPort.of(server);
            List<String> lines = admin.get("/contexts").whole().lines().toList();
            assertEquals(2, lines.size(), lines::toString);
            String shop = lines.stream()
                    .filter(line -> line.startsWith("/shop "))
                    .findFirst()
                    .orElseThrow();
            assertEquals(
                    "0 requests  Shop?/admin?31m?<script>",
                    shop.substring("/shop".length()).strip());
            Object json = admin.json("/contexts");
            assertEquals("", JsonValue.at(json, "serving", lines.get(0).startsWith("/nameless") ? 0 : 1, "name"));
        }
    }
}

package io.penstock.compatibility.more;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.compatibility.Server;
import io.penstock.compatibility.Site;
import io.penstock.compatibility.Trial;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the published WAR of Jolokia's agent. */
class JolokiaIT {

    @TempDir
    Path folder;

    @Test
    void thePublishedWarRespondsToRequests() throws Exception {
        Path war = Path.of(System.getProperty("jolokia.war"));
        Path users = Files.writeString(folder.resolve("users"), Server.userLine("ann", "secret", "jolokia"));
        Trial.of(folder, war)
                .with("--realm-file", users.toString())
                .allowing(Trial.Afterwards.CLASSES)
                .run(open -> {
                    assertEquals(401, open.get("version").statusCode());
                    Site site = open.as("ann", "secret");
                    HttpResponse<String> version = site.get("version");
                    assertEquals(200, version.statusCode(), version::body);
                    assertTrue(version.body().contains("\"agent\":\"2."), version::body);
                    HttpResponse<String> read = site.get("read/java.lang:type=Memory/HeapMemoryUsage");
                    assertTrue(read.body().contains("\"used\":"), read::body);
                    HttpResponse<String> posted = site.post(
                            "",
                            "application/json",
                            "{\"type\":\"read\",\"mbean\":\"java.lang:type=Runtime\",\"attribute\":\"VmName\"}");
                    assertTrue(posted.body().contains("\"status\":200"), posted::body);
                });
    }
}

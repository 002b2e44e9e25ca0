package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WarFileTest {
    @TempDir
    Path folder;

    @Test
    void membersAreUnpacked() throws Exception {
        Path war = Packing.empty()
                .with("index.html", "hi")
                .with("WEB-INF/web.xml", "<web-app/>")
                .archive(folder.resolve("a.war"));
        Path target = Files.createDirectory(folder.resolve("target"));
        WarFile.unpack(war, target);
        assertEquals("hi", Files.readString(target.resolve("index.html")));
        assertTrue(Files.exists(target.resolve("WEB-INF/web.xml")));
    }

    /** Reproducible builds give every member the same time: an edit of equal size would keep its validators. */
    @Test
    void membersHaveTheTimeOfTheirArchive() throws Exception {
        Path war = Packing.empty().with("index.html", "hi").archive(folder.resolve("a.war"));
        FileTime changed = FileTime.from(Instant.parse("2020-02-29T12:00:00Z"));
        Files.setLastModifiedTime(war, changed);
        Path target = Files.createDirectory(folder.resolve("target"));
        WarFile.unpack(war, target);
        assertEquals(changed, Files.getLastModifiedTime(target.resolve("index.html")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"../evil", "WEB-INF/../../evil", "/evil", "..", "a/.."})
    void aMemberThatLeadsOutsideIsRefused(String name) throws Exception {
        Path war = Packing.empty().with(name, "evil").archive(folder.resolve("a.war"));
        Path target = Files.createDirectory(folder.resolve("target"));
        DeploymentException e = assertThrows(DeploymentException.class, () -> WarFile.unpack(war, target));
        assertEquals("has a member that would be unpacked outside of it: " + name, e.getMessage());
        assertFalse(Files.exists(folder.resolve("evil")));
    }

    @Test
    void whatIsNoArchiveIsRefused() throws Exception {
        Path war = Files.writeString(folder.resolve("a.war"), "not a zip file");
        DeploymentException e = assertThrows(DeploymentException.class, () -> WarFile.unpack(war, folder));
        assertTrue(e.getMessage().startsWith("is no WAR"), e.getMessage());
    }
}

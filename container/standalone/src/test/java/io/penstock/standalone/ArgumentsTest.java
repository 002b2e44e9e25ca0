package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArgumentsTest {

    @TempDir
    Path folder;

    private String shop;
    private String root;
    private String files;

    @BeforeEach
    void createFiles() throws IOException {
        shop = Files.createFile(folder.resolve("shop.war")).toString();
        root = Files.createFile(folder.resolve("ROOT.war")).toString();
        files = Files.createDirectory(folder.resolve("files")).toString();
    }

    @Test
    void aSingleApplicationHasTheRootContextPath() {
        assertEquals(List.of(new Application("/", Path.of(shop))), parsed(shop));
    }

    @Test
    void aSingleApplicationMayHaveAContextPath() {
        assertEquals(List.of(new Application("/a/b", Path.of(shop))), parsed("/a/b=" + shop));
    }

    @Test
    void theFileNamesAreTheContextPathsIfThereAreSeveralApplications() {
        assertEquals(
                List.of(
                        new Application("/shop", Path.of(shop)),
                        new Application("/", Path.of(root)),
                        new Application("/files", Path.of(files)),
                        new Application("/more", Path.of(files))),
                parsed(shop, root, files, "/more=" + files));
    }

    @Test
    void theContextPathIsTheNameOfTheFolderEvenIfTheGivenPathEndsWithADot() {
        assertEquals(
                new Application("/files", Path.of(files, "..", "files", ".")),
                parsed(Path.of(files, "..", "files", ".").toString(), shop).get(0));
    }

    @Test
    void thePortMayBeTheFirstArgument() {
        Arguments arguments = Arguments.parse(List.of("8080", files));
        assertEquals(Optional.of("8080"), arguments.port());
        assertEquals(List.of(new Application("/", Path.of(files))), arguments.applications());
    }

    @Test
    void anExistingPathWithAnEqualsSignIsAnApplication() throws IOException {
        Path odd = Files.createDirectory(folder.resolve("a=b"));
        assertEquals(List.of(new Application("/", odd)), parsed(odd.toString()));
    }

    @Test
    void twoApplicationsWithTheSameContextPathAreAnError() {
        assertFails(
                "both " + shop + " and " + files + " would be the context /shop; write /context=APP to tell them apart",
                shop,
                "/shop=" + files);
        assertFails(
                "both " + shop + " and " + shop + " would be the context /shop; write /context=APP to tell them apart",
                shop,
                shop);
    }

    @Test
    void aMalformedContextPathIsAnError() {
        for (String contextPath : List.of("/a/", "/a//b", "/..", "/a/./b", "/a?b", "/a#b", "/a;b", "/a\\b")) {
            assertFails(
                    "the context path '" + contextPath + "' of " + contextPath + "=" + shop
                            + " is neither / nor like /shop or /shop/admin",
                    contextPath + "=" + shop);
        }
    }

    @Test
    void aContextPathMayBeginWithAHost() {
        assertEquals(
                List.of(
                        new Application("//www.example.org/", Path.of(files)),
                        new Application("//*.example.org/shop", Path.of(shop)),
                        new Application("//[2001:db8:0:0:0:0:0:1]/", Path.of(files)),
                        new Application("/shop", Path.of(shop))),
                parsed(
                        "//WWW.example.org=" + files,
                        "//*.example.org/shop=" + shop,
                        "//[2001:db8::1]/=" + files,
                        shop));
        assertFails(
                "both " + shop + " and " + files
                        + " would be the context //a.example/; write /context=APP to tell them apart",
                "//a.example/=" + shop,
                "//A.example.=" + files);
    }

    @Test
    void aMalformedHostIsAnError() {
        for (String location :
                List.of("//", "//*/", "//a:80/", "//a//b", "//a/..", "//m\u00fcller.example/", "//a b/")) {
            assertFails(
                    "the host or the context path '" + location + "' of " + location + "=" + shop
                            + " is not like //www.example.org/ or //*.example.org/shop",
                    location + "=" + shop);
        }
    }

    @Test
    void aMissingApplicationFileIsAnError() {
        assertFails("no such file or folder: missing.war", "missing.war");
        assertFails("no such file or folder: missing.war", "/shop=missing.war");
        assertFails("an argument names no file or folder: write APP or /context=APP", "/shop=");
    }

    private static List<Application> parsed(String... arguments) {
        return Arguments.parse(List.of(arguments)).applications();
    }

    private static void assertFails(String message, String... arguments) {
        assertEquals(
                message,
                assertThrows(OperatorException.class, () -> parsed(arguments)).getMessage());
    }
}

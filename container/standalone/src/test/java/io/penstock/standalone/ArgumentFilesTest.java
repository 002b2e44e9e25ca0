package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArgumentFilesTest {
    @TempDir
    Path folder;

    private String file(String text) throws IOException {
        return "@" + Files.writeString(folder.resolve("arguments"), text);
    }

    @Test
    void anArgumentFileIsReplacedByTheArgumentsInTheFile() throws IOException {
        String file = file("--port 80 # of the shop\n'/shop=my shop.war' \"/b=b.war\"\n\n12");
        assertEquals(
                List.of("--check", "--port", "80", "/shop=my shop.war", "/b=b.war", "12", "last"),
                ArgumentFiles.expanded(List.of("--check", file, "last")));
    }

    @Test
    void anAtSignThatDoesNotReferToAFileIsPartOfTheArgument() {
        assertEquals(
                List.of("@", "@file", "@" + folder, "a@b", "@no-such-file"),
                ArgumentFiles.expanded(List.of("@", "@@file", "@" + folder, "a@b", "@no-such-file")));
    }

    @Test
    void anArgumentFileMayContainOptionsOfTheServerAndOfApplications() throws IOException {
        Ran ran = Ran.with("--print-config", file("--workers=5\n--/shop:exclude-scan poi.jar"));
        assertEquals("", ran.err());
        String out = ran.out().replaceAll(" +", " ");
        assertTrue(out.contains("\nworkers = 5 --workers\n"), out);
        assertTrue(out.contains("\n/shop:exclude-scan = poi.jar --/shop:exclude-scan\n"), out);
    }
}

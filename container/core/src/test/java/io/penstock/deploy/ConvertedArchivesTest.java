package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.part.JavaxMigration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the folder of converted archives with a converter that copies. */
class ConvertedArchivesTest {
    @TempDir
    Path folder;

    private Path archive;
    private Path migrated;

    @BeforeEach
    void setUp() throws IOException {
        archive = Files.writeString(folder.resolve("shop.war"), "first");
        migrated = folder.resolve("migrated");
    }

    /** @param before runs when the conversion has begun */
    private ConvertedArchives converting(Runnable before) {
        return new ConvertedArchives(migrated, new JavaxMigration() {
            @Override
            public String version() {
                return "1";
            }

            @Override
            public void convert(Path from, Path to) throws IOException {
                before.run();
                Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
            }
        });
    }

    private void replace(String content) {
        try {
            Files.writeString(archive, content);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(migrated)) {
            return files.toList();
        }
    }

    @Test
    void anArchiveIsConvertedOnce() throws Exception {
        Path converted = converting(() -> {}).of(archive);
        assertEquals("first", Files.readString(converted));
        assertEquals(
                converted,
                converting(() -> {
                            throw new AssertionError("converted again");
                        })
                        .of(archive));
    }

    @Test
    void anArchiveThatIsReplacedDuringItsConversionIsNotKeptUnderTheHashOfTheFormerOne() throws Exception {
        DeploymentException changed = assertThrows(DeploymentException.class, () -> converting(() -> replace("second"))
                .of(archive));
        assertTrue(changed.getMessage().contains("has changed"), changed.getMessage());
        assertEquals(List.of(), files());

        replace("first");
        assertEquals("first", Files.readString(converting(() -> {}).of(archive)));
    }
}

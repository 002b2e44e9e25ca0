package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.HelpPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks the links between the Markdown documents of the project. Each link leads to an existing file, and each anchor to a heading. */
class DocumentLinksTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern CODE = Pattern.compile("```.*?```|`[^`\n]*`", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.*)$");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```.*?^```$");

    @Test
    void eachLinkBetweenDocumentsHasAnExistingTarget() throws IOException {
        List<Path> documents = documents();
        assertTrue(documents.size() > 15, documents.toString());
        List<String> broken = new ArrayList<>();
        for (Path document : documents) {
            Matcher link = LINK.matcher(CODE.matcher(Files.readString(document)).replaceAll(""));
            while (link.find()) {
                if (!link.group(1).matches("[a-z]+:.*") && !hasTarget(document, link.group(1))) {
                    broken.add(ROOT.relativize(document) + ": " + link.group(1));
                }
            }
        }
        assertEquals(List.of(), broken);
    }

    /** Messages name sections of the documents, as {@code docs/tls.md#renewal}. */
    @Test
    void eachSectionThatAMessageNamesExists() throws IOException {
        List<String> missing = new ArrayList<>();
        for (HelpPage page : HelpPage.values()) {
            Matcher named =
                    Pattern.compile(" \\(more: (docs/\\S+\\.md#\\S+)\\)").matcher(page.more());
            if (!named.matches() || !hasTarget(ROOT.resolve("README.md"), named.group(1))) {
                missing.add(page.more());
            }
        }
        assertEquals(List.of(), missing);
    }

    /** The navigation of the site ({@code release/site}) names the documents. The site has other names for those at the root. */
    @Test
    void theSiteNamesEachDocument() throws IOException {
        Path docs = ROOT.resolve("docs");
        Set<String> expected = new TreeSet<>(Set.of("index.md", "changelog.md", "contributing.md", "report.md"));
        for (Path document : documents()) {
            if (document.startsWith(docs)) {
                expected.add(docs.relativize(document).toString().replace('\\', '/'));
            }
        }
        Set<String> named = new TreeSet<>();
        Matcher page = Pattern.compile("(?m)^ +- [^:\n]+: (\\S+\\.md)$")
                .matcher(Files.readString(ROOT.resolve("release/site/mkdocs.yml")));
        while (page.find()) {
            named.add(page.group(1));
        }
        assertEquals(expected, named);
    }

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> below = Files.walk(ROOT.resolve("docs"))) {
            Stream.concat(top, below)
                    .filter(file -> file.toString().endsWith(".md"))
                    .forEach(documents::add);
        }
        return documents;
    }

    private static boolean hasTarget(Path document, String link) throws IOException {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]);
        boolean toHeading = parts.length == 2 && target.toString().endsWith(".md");
        return Files.exists(target) && (!toHeading || anchors(target).contains(parts[1]));
    }

    /** Returns the anchors of a document's headings, in the form that GitHub creates. */
    private static Set<String> anchors(Path document) throws IOException {
        Set<String> anchors = new HashSet<>();
        Matcher heading =
                HEADING.matcher(BLOCK.matcher(Files.readString(document)).replaceAll(""));
        while (heading.find()) {
            String words = heading.group(1).replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1");
            String anchor = words.strip()
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N}_\\- ]", "")
                    .replace(' ', '-');
            String unique = anchor;
            for (int i = 1; !anchors.add(unique); i++) {
                unique = anchor + "-" + i;
            }
        }
        return anchors;
    }
}

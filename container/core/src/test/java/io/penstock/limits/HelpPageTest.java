package io.penstock.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests the sections of the documents that messages name. */
class HelpPageTest {

    @Test
    void messagesNameTheFileInTheSources() {
        assertEquals(" (more: docs/tls.md#renewal)", HelpPage.RENEWAL.more());
    }

    @Test
    void messagesOfAReleaseWithPublishedDocumentsHaveLinks() {
        assertEquals(
                "https://docs.example/0.1/guide/logins.html#users-and-their-rights",
                HelpPage.USERS.link("https://docs.example/0.1"));
        assertEquals("https://docs.example/tls.html#renewal", HelpPage.RENEWAL.link("https://docs.example/"));
    }
}

/** Shows a guest book: sessions, forms, and a redirect after POST. */
package io.penstock.sample.guestbook;

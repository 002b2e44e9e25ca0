/** What applications consist of. */
package io.penstock.websocket.application;
